/**
 * Which pull requests a report tells of one by one. All, as long as they are few enough; of many,
 * those around the first violation, and without one those around the instant at which the queue was
 * deepest. Holds no more of them at a time than twice what it will tell of.
 */

import type { PullRequestNumber } from '../../../engine/index.ts'
import { newStory, type Story } from './story.ts'

type Centre = 'deepest' | 'violation'

export class StoryWindow {
  readonly #most: number
  /** Those that may be told of: the latest, and those that were picked. */
  readonly #known = new Map<PullRequestNumber, Story>()
  /** The latest to begin, oldest first. */
  readonly #latest = new Set<Story>()
  #picked: ReadonlySet<Story> | null = null
  /** How many more begin before the latest are those around the centre. */
  #untilPick: number | null = null
  #centre: Centre = 'deepest'
  #begun = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Whether there is room for everybody so far. */
  get hasRoom(): boolean {
    return this.#begun < this.#most
  }

  find(number: PullRequestNumber): Story | undefined {
    return this.#known.get(number)
  }

  /** A new story, for a pull request that has none; the oldest gives way. */
  begin(number: PullRequestNumber): Story {
    const story = newStory(number)
    this.#begun++
    this.#known.set(number, story)
    this.#latest.add(story)
    if (this.#latest.size > this.#most) this.#dropOldest()
    if (this.#untilPick !== null && --this.#untilPick <= 0) this.#pick()
    return story
  }

  /** This is the place to look at, unless there was a violation before. */
  centreOn(centre: Centre): void {
    if (this.#centre === 'violation') return
    this.#centre = centre
    this.#untilPick = Math.floor(this.#most / 2)
  }

  /** Those to be told of, in the order in which they began. To be asked at the end. */
  get stories(): readonly Story[] {
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

  #forgetUnlessNeeded(story: Story): void {
    if (this.#latest.has(story) || this.#picked?.has(story) === true) return
    if (this.#known.get(story.number) === story) this.#known.delete(story.number)
  }
}
