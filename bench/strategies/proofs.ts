/** Counts merges of a simulated policy without a passed run of exactly that tree, by kind. */

/** A tree of the branch: the order of all merges that led to it, as a number. */
type Tree = number

export class Proofs {
  /** In the middle of a batch that passed. */
  midBatch = 0
  /** Only a run of successors on top has passed. */
  clearedBySuccessor = 0
  readonly #next = new Map<string, Tree>()
  readonly #passed = new Set<Tree>()
  readonly #middles = new Set<Tree>()
  #main: Tree = 0

  /** Returns the trees of the current branch with these pull requests, one after the other. */
  treesOf(numbers: readonly number[]): Tree[] {
    let below = this.#main
    return numbers.map((number) => (below = this.#with(below, number)))
  }

  /** Records a run that passed: its trees, of which the last `tested` are of pull requests in test. */
  passed(trees: readonly Tree[], tested: number): void {
    const last = trees.at(-1)
    if (last !== undefined) this.#passed.add(last)
    for (const tree of trees.slice(-tested, -1)) this.#middles.add(tree)
  }

  merged(number: number): void {
    this.#main = this.#with(this.#main, number)
    if (this.#passed.has(this.#main)) return
    if (this.#middles.has(this.#main)) this.midBatch++
    else this.clearedBySuccessor++
  }

  #with(below: Tree, number: number): Tree {
    const name = `${below} ${number}`
    const known = this.#next.get(name) ?? this.#next.size + 1
    this.#next.set(name, known)
    return known
  }
}
