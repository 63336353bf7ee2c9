/**
 * First-in-first-out queues by key. An item can have several keys; it is ready when it is the first
 * in the queues of all its keys.
 */

export type Keyed = { readonly keys: readonly string[] }

export class KeyedQueues<Item extends Keyed> {
  readonly #queues = new Map<string, Item[]>()

  /** Appends an item to the queues of its keys. Returns true if it is ready. */
  add(item: Item): boolean {
    for (const key of item.keys) {
      const queue = this.#queues.get(key)
      if (queue) queue.push(item)
      else this.#queues.set(key, [item])
    }
    return this.#isReady(item)
  }

  /** Removes an item that was ready. Returns the items that are ready because of that. */
  remove(item: Item): Item[] {
    const next = new Set<Item>()
    for (const key of item.keys) {
      const queue = this.#queues.get(key)
      queue?.shift()
      const [first] = queue ?? []
      if (first) next.add(first)
      else this.#queues.delete(key)
    }
    return [...next].filter((first) => this.#isReady(first))
  }

  #isReady(item: Item): boolean {
    return item.keys.every((key) => this.#queues.get(key)?.[0] === item)
  }
}
