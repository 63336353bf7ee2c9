import { count } from '../../server/terminal/text.ts'
import type { QuarantinePrice } from './result-document.ts'

/** What a quarantine has spared and cost, in words. */
export const quarantineText = ({ merges, breaks }: QuarantinePrice): string =>
  `${count(merges)} merged although its tests failed; ${count(breaks)} merged that break only those`
