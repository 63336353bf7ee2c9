/** Finding a pull request by its number, or by words of its title or its author. */

import type { MemberDetails } from '../../../../server/page/frame.ts'
import type { PageState } from './fold.ts'
import { rowsInOrder } from './figures.ts'

const most = 8

export type Found = {
  readonly number: number
  readonly member?: Pick<MemberDetails, 'title'>
  readonly isListed: boolean
}

/** Returns at most eight. A whole number is always among them, because its page exists anyway. */
export function matches(state: PageState, wish: string): Found[] {
  const words = wish
    .toLowerCase()
    .replace(/^#/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const known = new Map<number, Found>()
  for (const { number, member } of [...rowsInOrder(state), ...state.ended]) {
    if (known.has(number)) continue
    const author = member && 'author' in member ? member.author : ''
    const text = `${number} ${member?.title ?? ''} ${author}`.toLowerCase()
    if (words.every((word) => text.includes(word))) {
      known.set(number, { number, ...(member ? { member } : {}), isListed: true })
    }
  }
  return withExact([...known.values()], words)
}

/** The pull request with exactly this number comes first. */
function withExact(found: readonly Found[], [word = '', ...others]: readonly string[]): Found[] {
  const isNumber = /^[1-9]\d{0,9}$/.test(word) && others.length === 0
  if (!isNumber) return found.slice(0, most)
  const number = Number(word)
  const exact = found.find((each) => each.number === number) ?? { number, isListed: false }
  return [exact, ...found.filter((each) => each.number !== number)].slice(0, most)
}
