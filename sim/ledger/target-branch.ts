/**
 * The target branch, and the content of each pull request. A push to a pull request keeps its
 * number and changes its content, so a content is the number of its submission.
 */

import type { Projection } from './projection.ts'
import { emptyComposition, withOnTop, type CompositionNode, type Content } from './composition.ts'

export type TargetBranch = Projection & {
  /** The number of its commits. */
  readonly number: number
  readonly composition: CompositionNode
  /** What the queue calls this composition; null before the first commit. */
  readonly name: string | null
  contentOf(number: number): Content
  contentsOf(numbers: readonly number[]): Content[]
}

export function targetBranch(): TargetBranch {
  const contents = new Map<number, Content>()
  let number = 0
  let composition = emptyComposition()
  let name: string | null = null

  const contentOf = (each: number): Content => contents.get(each) ?? Number.NaN
  const contentsOf = (numbers: readonly number[]): Content[] => numbers.map(contentOf)

  return {
    get number() {
      return number
    },
    get composition() {
      return composition
    },
    get name() {
      return name
    },
    contentOf,
    contentsOf,
    on: {
      pullRequestSubmitted: (event) => void contents.set(event.number, event.submission),
      tipMoved(event) {
        number++
        name = event.composition
        // A negative content is a push from outside: submissions count from 1.
        const added = event.number === null ? -number : contentOf(event.number)
        composition = withOnTop(composition, added)
      },
      pullRequestEnded: (event) => void contents.delete(event.number),
    },
  }
}
