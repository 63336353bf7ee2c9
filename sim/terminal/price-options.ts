/** The options `--ci-price` and `--wait-price`, which several commands share (S-244). */

import type { OptionTable, ParsedOptions } from '../../terminal/options.ts'
import { amountOf } from './read-values.ts'

export const priceTable = {
  'ci-price': {
    kind: 'value',
    value: 'amount',
    help: 'price of a minute of CI, in any currency; shows what a landed pull request costs',
  },
  'wait-price': {
    kind: 'value',
    value: 'amount',
    help: 'price of an hour that a pull request waits until it lands',
  },
} as const satisfies OptionTable

type PriceOptions = Pick<ParsedOptions<typeof priceTable>, 'text' | 'fault'>

/** Returns the given prices as settings of the scenario, like those of `--set`. */
export function priceSettings(parsed: PriceOptions): string[] {
  const setting = (option: keyof typeof priceTable, field: string): string[] => {
    const text = parsed.text(option)
    if (text === null) return []
    const price = amountOf(text, (expected) => parsed.fault(option, expected))
    return [`prices.${field}=${price}`]
  }
  return [...setting('ci-price', 'ciMinute'), ...setting('wait-price', 'waitingHour')]
}
