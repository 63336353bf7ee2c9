/** When authors of healthy pull requests come again that were evicted. */

import type { Resubmit } from '../../sim/scenario/scenario.ts'

/** Without another word in the options or the scenario, authors come again after this time. */
export const defaultResubmit: Resubmit = { afterMinutes: 15 }
