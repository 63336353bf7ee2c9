/** Lists of pull requests and runs in sentences. */

const shownAtMost = 6

/** `7`, `7, 8 and 9`, `7, 8, 9, 10, 11 and 12 more`. */
export function list(numbers: readonly number[]): string {
  if (numbers.length > shownAtMost) {
    const shown = numbers.slice(0, shownAtMost - 1)
    return `${shown.join(', ')} and ${numbers.length - shown.length} more`
  }
  const last = numbers.at(-1)
  const others = numbers.slice(0, -1)
  return others.length === 0 ? String(last ?? 'none') : `${others.join(', ')} and ${last}`
}

/** `run 7`, `runs 7, 8 and 9`. */
export function several(noun: string, numbers: readonly number[]): string {
  return `${noun}${numbers.length === 1 ? '' : 's'} ${list(numbers)}`
}
