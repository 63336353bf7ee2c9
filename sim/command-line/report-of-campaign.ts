/** The files that a run with many seeds leaves behind: its document, and a page to look at. */

import type { CampaignDocument } from '../campaign/document.ts'
import { writeReport } from './report-files.ts'
import type { Shard } from '../campaign/seeds.ts'

export type ToldCampaign = {
  readonly document: CampaignDocument
  readonly description: string | null
  readonly ran: string
  readonly valuesOf: (path: string) => readonly number[]
  readonly shrunk: string
  /** A part of a campaign has no page: the parts together tell something. */
  readonly shard: Shard | null
}

/** Writes them into the folder. Answers the page's path, or null for a shard. */
export async function writeCampaignReport(
  { shard, ...told }: ToldCampaign,
  folder: string,
): Promise<string | null> {
  const json = [`${JSON.stringify(told.document, null, 2)}\n`]
  if (shard !== null) {
    writeReport(folder, { [`seeds-${shard.index}-of-${shard.of}.json`]: json })
    return null
  }
  // It loads the chart library: nobody waits for that who wants no report.
  const { campaignReport } = await import('../report/campaign/campaign-report.ts')
  const page = await campaignReport(told)
  return writeReport(folder, { 'seeds.html': [page], 'seeds.json': json })
}
