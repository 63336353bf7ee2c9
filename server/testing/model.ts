/**
 * A simple model of a queue without batches and with one slot: one pull request is tested, the
 * others wait by priority and then by age, those submitted during a pause come after them, and pull
 * requests that have left are recorded.
 */

export type Conclusion = 'MERGED' | 'FAILED' | 'CANCELLED'
type ModelPullRequest = { number: number; priority: number; age: number; isReady: boolean }

export class ModelQueue {
  isPaused = false
  testing: ModelPullRequest | null = null
  /** The pull requests that have left, newest last. */
  left: { number: number; state: Conclusion }[] = []
  #waiting: ModelPullRequest[] = []
  #submissions = 0

  get inOrder(): number[] {
    return [...(this.testing ? [this.testing] : []), ...this.#waiting].map(({ number }) => number)
  }

  submit(number: number, priority: number | undefined): void {
    this.left = this.left.filter((each) => each.number !== number)
    const known = [this.testing, ...this.#waiting].find((each) => each?.number === number)
    const age = ++this.#submissions
    if (known) known.priority = priority ?? known.priority
    else this.#waiting.push({ number, priority: priority ?? 100, age, isReady: !this.isPaused })
    this.#settle()
  }

  /** Returns false if the pull request is not in the queue. */
  leave(number: number, state: Conclusion): boolean {
    if (!this.inOrder.includes(number)) return false
    if (this.testing?.number === number) this.testing = null
    this.#waiting = this.#waiting.filter((each) => each.number !== number)
    this.left.push({ number, state })
    this.#settle()
    return true
  }

  pause(isPaused: boolean): void {
    this.isPaused = isPaused
    this.#settle()
  }

  stateOf(number: number): string | undefined {
    if (this.testing?.number === number) return 'TESTING'
    const waiting = this.#waiting.find((each) => each.number === number)
    if (waiting) return waiting.isReady ? 'PENDING' : 'NOT_READY'
    return this.left.find((each) => each.number === number)?.state
  }

  #settle(): void {
    for (const each of this.#waiting) each.isReady ||= !this.isPaused
    const rank = ({ isReady, priority }: ModelPullRequest): number => (isReady ? priority : 256)
    this.#waiting.sort((a, b) => rank(a) - rank(b) || a.age - b.age)
    if (!this.isPaused) this.testing ??= this.#waiting.shift() ?? null
  }
}
