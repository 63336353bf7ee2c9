/** Writes the files of a campaign: the document and a report page. */

import type { CampaignDocument } from '../../../../sim/campaign/document.ts'
import { writeReport } from '../../../../sim/terminal/report-files.ts'
import type { Shard } from '../../../../sim/random/seeds.ts'

export type CampaignReportInput = {
  readonly document: CampaignDocument
  readonly description: string | null
  readonly ran: string
  readonly valuesOf: (path: string) => readonly number[]
  readonly shrunk: string
  /** A shard gets no page, because only the combined results are meaningful. */
  readonly shard: Shard | null
}

/** Writes the files to the folder. Returns the path of the page, or null for a shard. */
export async function writeCampaignReport(
  { shard, ...input }: CampaignReportInput,
  folder: string,
): Promise<string | null> {
  const json = [`${JSON.stringify(input.document, null, 2)}\n`]
  if (shard !== null) {
    writeReport(folder, { [`seeds-${shard.index}-of-${shard.of}.json`]: json })
    return null
  }
  // The chart library loads slowly, so it is imported only for a report.
  const { campaignReport } = await import('../../../../sim/report/campaign/campaign-report.ts')
  const page = await campaignReport(input)
  return writeReport(folder, { 'seeds.html': [page], 'seeds.json': json })
}
