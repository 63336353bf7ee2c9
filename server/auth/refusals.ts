/** The refused requests of callers, counted by reason since the start of this process. */

export const refusalReasons = [
  'missing',
  'unknown',
  'expired',
  'limited',
  'scope',
  'repository',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export class Refusals {
  readonly #counts = new Map<RefusalReason, number>()

  add(reason: RefusalReason): void {
    this.#counts.set(reason, this.of(reason) + 1)
  }

  of(reason: RefusalReason): number {
    return this.#counts.get(reason) ?? 0
  }
}
