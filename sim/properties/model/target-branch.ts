/**
 * The target branch as the events tell it, and what content each pull request stands for. A push
 * to a pull request keeps its number and changes its content, so contents count submissions.
 */

import type { Book } from './book.ts'
import { emptyComposition, withOnTop, type Composition, type Content } from './composition.ts'

export type TargetBranch = Book & {
  /** How many changes it has seen. */
  readonly number: number
  readonly composition: Composition
  contentOf(number: number): Content
  contentsOf(numbers: readonly number[]): Content[]
}

export function targetBranch(): TargetBranch {
  const contents = new Map<number, Content>()
  let number = 0
  let composition = emptyComposition()
  let submissions = 0

  const contentOf = (each: number): Content => contents.get(each) ?? Number.NaN
  const contentsOf = (numbers: readonly number[]): Content[] => numbers.map(contentOf)

  return {
    get number() {
      return number
    },
    get composition() {
      return composition
    },
    contentOf,
    contentsOf,
    on: {
      pullRequestSubmitted: (event) => void contents.set(event.number, ++submissions),
      tipMoved(event) {
        number++
        // No submission has a negative number: a push from outside is nobody's content.
        const added = event.number === null ? -number : contentOf(event.number)
        composition = withOnTop(composition, added)
      },
      pullRequestEnded: (event) => void contents.delete(event.number),
    },
  }
}
