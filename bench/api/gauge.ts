/**
 * Loaded into a server under test before anything else: tells whoever started it, when asked, what
 * the process has taken so far. Nothing of the server knows of it.
 */

export type Reading = {
  /** Processor time since the start. */
  readonly cpuNs: number
  /** Memory now, and the most there ever was. */
  readonly rssBytes: number
  readonly peakBytes: number
}

const nsPerUs = 1000
const bytesPerKiB = 1024

process.on('message', (message) => {
  if (message !== 'read') return
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const reading: Reading = {
    cpuNs: (userCPUTime + systemCPUTime) * nsPerUs,
    rssBytes: process.memoryUsage.rss(),
    peakBytes: maxRSS * bytesPerKiB,
  }
  process.send?.(reading)
})
// Listening must not keep the process alive once everything else has ended.
process.channel?.unref()
