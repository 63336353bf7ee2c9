/** Gives the reader a scenario as a file. */

import type { Scenario } from '../../../../sim/scenario/scenario.ts'

export function download(scenario: Scenario): void {
  const text = `${JSON.stringify(scenario, null, 2)}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${scenario.name}.json`
  link.click()
  // A browser reads it after the click.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 60_000)
}
