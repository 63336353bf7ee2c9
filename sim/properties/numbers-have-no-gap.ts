import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/**
 * Rule: E-210. Ids on the wire are made of these numbers, so a number that is used twice or left out
 * makes two things look like one, or one look lost.
 */
export const numbersHaveNoGap: Property = {
  name: 'numbers-have-no-gap',
  sentence:
    'Groups, bisections and test runs are each numbered in the order in which they begin, without a gap.',
  watch({ check }) {
    /** Counts the numbers of one kind. A recording may begin with any number. */
    const counter = (kind: string): ((number: number, point: Point) => void) => {
      let last: number | null = null
      return (number, point) => {
        const expected: number = last === null ? number : last + 1
        last = number
        check(number === expected, point, () => ({
          story: `At ${minute(point.at)} ${kind} ${number} began, and the next number was ${expected}.`,
          pullRequests: [],
        }))
      }
    }
    const countGroup = counter('group')
    const countBisection = counter('bisection')
    const countRun = counter('test run')
    return {
      on: {
        groupPlaced: ({ group }, point) => countGroup(group, point),
        groupSplit: ({ into }, point) => countGroup(into, point),
        bisectionStarted: ({ bisection }, point) => countBisection(bisection, point),
        testRunStarted: ({ run }, point) => countRun(run.id, point),
      },
    }
  },
}
