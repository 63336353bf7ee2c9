/** Prices as text. The currency is not named, because nobody gave one. */

import { count } from '../../server/terminal/text.ts'
import type { RunPrice } from './price.ts'

/** `12,345.60`: two digits, and more for small amounts. */
export function amount(price: number): string {
  const digits = price !== 0 && Math.abs(price) < 0.1 ? 4 : 2
  const [whole = '', fraction = ''] = price.toFixed(digits).split('.')
  return `${count(Number(whole))}.${fraction}`
}

/** `60.00: CI 30.00, waiting 30.00; 7.50 per landed pull request` */
export function priceText(price: RunPrice): string {
  return `${amount(price.total)}: ${priceNote(price)}`
}

/** The parts of a price, and what each pull request that landed costs. */
export function priceNote({ ci, waiting, perLanded }: RunPrice): string {
  const each = perLanded === null ? '' : `; ${amount(perLanded)} per landed pull request`
  return `CI ${amount(ci)}, waiting ${amount(waiting)}${each}`
}
