/** The table that came with this version. Loaded on the first call: it is large, and most commands need no price. */
import type { TableProvider } from "./price-table.ts";

/** Of the package that is pinned; a test compares them. */
export const builtInName = "genai-prices 0.1.8 (2026-09-23)";

export async function loadBuiltIn(): Promise<readonly TableProvider[]> {
  const { waitForUpdate } = await import("@pydantic/genai-prices");
  const providers = await waitForUpdate();
  return (providers ?? []).map(({ id, models, fallback_model_providers }) => ({
    id,
    models: models as TableProvider["models"],
    fallback_model_providers,
  }));
}

export async function tableAddress(): Promise<string> {
  return (await import("@pydantic/genai-prices")).REMOTE_DATA_JSON_URL;
}
