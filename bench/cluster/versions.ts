/**
 * What a part of the simulated database has been. It is in the same database as the log, so a failover that
 * loses entries also loses what was written after them.
 */

type Version<Value> = {
  readonly value: Value
  /** The length of the log at that time. */
  readonly entries: number
}

export class Versions<Value> {
  readonly #first: Value
  readonly #entries: () => number
  #versions: Version<Value>[] = []

  constructor(first: Value, entries: () => number) {
    this.#first = first
    this.#entries = entries
  }

  get last(): Value {
    return this.#versions.at(-1)?.value ?? this.#first
  }

  become(value: Value): void {
    this.#versions.push({ value, entries: this.#entries() })
  }

  /** What was written after the last entry that is kept may be lost as well. */
  failOver(isLastKept: boolean): void {
    const length = this.#entries()
    const isLeft = ({ entries }: Version<Value>): boolean => entries < length + (isLastKept ? 1 : 0)
    this.#versions = this.#versions.filter(isLeft)
  }
}
