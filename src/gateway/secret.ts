/** Secrets are looked up and compared by their digests: how long it takes tells nothing of how much was right. */
import { hash, timingSafeEqual } from "node:crypto";

export function digestOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}
