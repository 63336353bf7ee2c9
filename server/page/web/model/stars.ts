/** The numbers that the reader has starred, by queue. They stay in this browser: tokens name nobody. */

import { signal } from '@preact/signals'

const key = 'mergeyard.stars'

/** So that the storage does not grow for years. The oldest are forgotten first. */
const mostStars = 50

type Stars = Readonly<Record<string, readonly number[]>>

const stars = signal<Stars>({})

export function starredIn(queue: string): readonly number[] {
  return stars.value[queue] ?? []
}

export function toggleStar(queue: string, number: number): void {
  const before = starredIn(queue)
  const after = before.includes(number)
    ? before.filter((each) => each !== number)
    : [...before, number].slice(-mostStars)
  stars.value = { ...stars.value, [queue]: after }
  keep(JSON.stringify(stars.value))
}

/** A browser may refuse to keep anything. Then the stars last until the page is closed. */
function keep(text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The stars are shown anyway.
  }
}

/** Reads the stars, and follows those that another tab sets. */
export function startStars(): void {
  const read = (): void => {
    stars.value = starsIn(stored())
  }
  read()
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) read()
  })
}

function stored(): string {
  try {
    return localStorage.getItem(key) ?? '{}'
  } catch {
    return '{}'
  }
}

/** What is stored may be of another version, or be made by somebody else: then it is left out. */
export function starsIn(text: string): Stars {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(
      Object.entries(found).map(([queue, list]) => [queue, numbersIn(list)]),
    )
  } catch {
    return {}
  }
}

const numbersIn = (list: unknown): number[] =>
  Array.isArray(list) ? list.filter(isNumber).slice(-mostStars) : []

const isNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0
