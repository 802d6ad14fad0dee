/** Whether two JSON values say the same, whatever the order of their fields. A field without a value is none. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameValue(Reflect.get(one, name), Reflect.get(other, name)));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
