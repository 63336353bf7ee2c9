/**
 * Loaded into the process under test before the program: reports the processor time and memory of
 * the process when the parent process requests them. The program is unchanged.
 */

export type Reading = {
  /** Processor time since the start of the process. */
  readonly cpuNs: number
  /** Resident memory now. */
  readonly rssBytes: number
}

const nsPerUs = 1000

process.on('message', (message) => {
  if (message !== 'read') return
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const reading: Reading = {
    cpuNs: (userCPUTime + systemCPUTime) * nsPerUs,
    rssBytes: process.memoryUsage.rss(),
  }
  process.send?.(reading)
})
// The channel must not keep the process running when the program has ended.
process.channel?.unref()
