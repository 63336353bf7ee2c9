/** The tests of each pull request. */

import type { QueueFacts } from './attempts.ts'
import type { Pull } from './records.ts'
import type { Signal } from './signals.ts'
import type { Tested } from './tested.ts'

export class TestsByPull {
  readonly #byNumber = new Map<number, Tested[]>()
  readonly #byHead = new Map<string, Tested>()
  readonly #byBranch = new Map<string, Tested[]>()
  readonly #failed = new Set<string>()
  /** The batches of which a test has passed, by their members. */
  readonly #passed = new Set<string>()
  /** Branches of several pull requests, such as those of forks. */
  readonly #shared: ReadonlySet<string>

  constructor(tested: readonly Tested[], pulls: readonly Pull[]) {
    const branches = pulls.map(({ head }) => head.ref)
    this.#shared = new Set(branches.filter((name, index) => branches.indexOf(name) < index))
    for (const each of tested) {
      if (each.place === 'queue') {
        for (const number of each.numbers) added(this.#byNumber, number, each)
        const hasPassed = each.rounds.some(({ outcome }) => outcome === 'passed')
        if (hasPassed) this.#passed.add(each.numbers.join())
        else this.#failed.add(each.sha)
      }
      if (each.place !== 'head') continue
      this.#byHead.set(each.sha, each)
      if (each.branch !== null) added(this.#byBranch, each.branch, each)
    }
  }

  /**
   * True if a failure says something about a pull request. It says nothing if what is below it failed as
   * well, or if it is one of a batch: then the batch is split. A batch that is not split but passes later has
   * flaked, which is told of its first member.
   */
  readonly isTelling = (number: number, { base, numbers }: Tested): boolean => {
    if (base !== null && this.#failed.has(base)) return false
    return numbers.length < 2 || (numbers[0] === number && this.#passed.has(numbers.join()))
  }

  factsOf({ number }: Pull): QueueFacts {
    const mine = this.#byNumber.get(number) ?? []
    return {
      firstTestMs: mine[0]?.rounds[0].startedAtMs ?? null,
      lastTestMs: mine.at(-1)?.rounds[0].startedAtMs ?? null,
      hasFailed: (fromMs, toMs) =>
        mine.some(
          ({ rounds }) =>
            rounds.at(-1)?.outcome === 'failed' &&
            rounds[0].startedAtMs >= fromMs &&
            rounds[0].startedAtMs < toMs,
        ),
    }
  }

  /** The tests of the queue, or of its own commits where no queue tested it. */
  of(pull: Pull, signals: readonly Signal[]): readonly Tested[] {
    const ofQueue = this.#byNumber.get(pull.number)
    if (ofQueue) return ofQueue
    const shas = signals.flatMap((signal) => (signal.is === 'push' ? (signal.sha ?? []) : []))
    const own = [...shas, pull.head.sha].flatMap((sha) => this.#byHead.get(sha) ?? [])
    const isOwn = this.#shared.has(pull.head.ref) ? [] : (this.#byBranch.get(pull.head.ref) ?? [])
    return [...new Set([...own, ...isOwn])].toSorted(
      (a, b) => a.rounds[0].startedAtMs - b.rounds[0].startedAtMs,
    )
  }
}

function added<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}
