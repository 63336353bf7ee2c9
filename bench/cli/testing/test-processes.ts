import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The processes of test runs of the server with this data folder, in which their home is; only Linux shows it. */
export function testProcesses(data: string): string[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${data}/`)
    } catch {
      return false
    }
  })
}
