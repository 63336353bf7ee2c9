import { varied } from './varied.ts'

/** Fields that hold the number of a pull request, or a list of them. */
const numbers: ReadonlySet<string> = new Set([
  'number',
  'with',
  'numbers',
  'members',
  'base',
  'tested',
  'conflictsWith',
  'dependsOn',
  'leftWith',
])

/** Far beyond all numbers in use, and in reverse order. */
const renumbered = (number: number): number => 100_000_000 - number

/** The order depends on priorities and submissions, never on numbers. */
export const numbersAreNames = varied({
  name: 'numbers-are-names',
  sentence: 'When pull requests have other numbers, in another order, nothing else is different.',
  change(name, value) {
    if (!numbers.has(name)) return value
    if (Array.isArray(value)) return value.map((each: unknown) => otherOf(each))
    return otherOf(value)
  },
})

const otherOf = (value: unknown): unknown => (typeof value === 'number' ? renumbered(value) : value)
