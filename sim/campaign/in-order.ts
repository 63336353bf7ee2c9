/** Receives answers in any order and reports them in the order of their positions. */

export class InOrder<Answer> {
  readonly #onAnswer: (answer: Answer) => void
  readonly #waiting = new Map<number, { readonly answer: Answer }>()
  #positions = 0
  #due = 0

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer
  }

  /** Returns a new last position. */
  next(): number {
    return this.#positions++
  }

  add(position: number, answer: Answer): void {
    this.#waiting.set(position, { answer })
    for (let due = this.#waiting.get(this.#due); due; due = this.#waiting.get(this.#due)) {
      this.#waiting.delete(this.#due)
      this.#due++
      this.#onAnswer(due.answer)
    }
  }

  /** Reports the remaining answers in order, past any gaps. Call this when no more answers come. */
  flush(): void {
    const left = [...this.#waiting].sort(([a], [b]) => a - b)
    this.#waiting.clear()
    for (const [, { answer }] of left) this.#onAnswer(answer)
  }
}
