/**
 * Selects the pull requests that a report shows individually: all if there are few. If there are
 * many, the ones around the first violation, or around the time at which the queue was deepest. It
 * never holds more than twice the number of stories that the report shows.
 */

import type { PullRequestNumber } from '../../../engine/index.ts'
import { newStory, type PullRequestStory } from './story.ts'

/** The event around which the stories are selected. */
type Centre = 'deepest' | 'violation'

export class StoryWindow {
  readonly #most: number
  /** All stories in memory: the latest and the picked ones. */
  readonly #known = new Map<PullRequestNumber, PullRequestStory>()
  /** The latest stories, oldest first. */
  readonly #latest = new Set<PullRequestStory>()
  /** The stories around the centre. */
  #picked: ReadonlySet<PullRequestStory> | null = null
  /** How many more stories must begin before the centre is in the middle of the latest ones. */
  #untilPick: number | null = null
  #centre: Centre = 'deepest'
  #begun = 0

  constructor(most: number) {
    this.#most = most
  }

  /** True as long as all stories fit. */
  get hasRoom(): boolean {
    return this.#begun < this.#most
  }

  find(number: PullRequestNumber): PullRequestStory | undefined {
    return this.#known.get(number)
  }

  /** Begins the story of a pull request that has none. If there is no room, drops the oldest. */
  begin(number: PullRequestNumber): PullRequestStory {
    const story = newStory(number)
    this.#begun++
    this.#known.set(number, story)
    this.#latest.add(story)
    if (this.#latest.size > this.#most) this.#dropOldest()
    if (this.#untilPick !== null && --this.#untilPick <= 0) this.#pick()
    return story
  }

  /** Selects the stories around the current one, unless there was a violation before. */
  centreOn(centre: Centre): void {
    if (this.#centre === 'violation') return
    this.#centre = centre
    this.#untilPick = Math.floor(this.#most / 2)
  }

  /** The selected stories, in the order in which they began. Call this after the run. */
  get stories(): readonly PullRequestStory[] {
    const areAll = this.#begun <= this.#most
    const picked = areAll || this.#untilPick !== null ? null : this.#picked
    return [...(picked ?? this.#latest)]
  }

  #pick(): void {
    const before = this.#picked ?? new Set()
    this.#picked = new Set(this.#latest)
    this.#untilPick = null
    for (const story of before) this.#forgetUnlessNeeded(story)
  }

  #dropOldest(): void {
    const [oldest] = this.#latest
    if (!oldest) return
    this.#latest.delete(oldest)
    this.#forgetUnlessNeeded(oldest)
  }

  #forgetUnlessNeeded(story: PullRequestStory): void {
    if (this.#latest.has(story) || this.#picked?.has(story) === true) return
    if (this.#known.get(story.number) === story) this.#known.delete(story.number)
  }
}
