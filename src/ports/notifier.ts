/** Tells a person. Must not throw and must not hold a window up: it has its own bound. */
export interface Notifier {
  notify(notice: { readonly kind: "question" | "stop"; readonly text: string }): Promise<void>;
}
