/** Amounts of money: kept as integer micro-dollars, told and given by people in US$. */

export function microUsd(usd: number): number {
  return Math.round(usd * 1_000_000);
}

/** Null stays null: no amount was given. */
export function microUsdOrNull(usd: number | null): number | null {
  return usd === null ? null : microUsd(usd);
}

/** `25.50`, as a person types it; null = no plain number. */
export function readAmount(text: string): number | null {
  return /^\d+(\.\d+)?$/.test(text) ? microUsd(Number(text)) : null;
}

/** `1.50`. */
export function cents(amountMicroUsd: number): string {
  return (amountMicroUsd / 1_000_000).toFixed(2);
}

/** `0.0123`, `1.50`: to the last digit, and at least cents. A call costs parts of one. */
export function exactAmount(amountMicroUsd: number): string {
  return (amountMicroUsd / 1_000_000).toFixed(6).replace(/0{1,4}$/, "");
}

/** `$1.50`. */
export function dollars(amountMicroUsd: number): string {
  return `$${cents(amountMicroUsd)}`;
}
