/**
 * What a day of 500 pull requests asks of GitHub: requests in the worst hour, and changes in the worst minute.
 * The fake GitHub counts; time runs twenty times faster, and every interval of the server is as much
 * shorter. So it takes half an hour, and says so if the machine was too slow for that pace.
 */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atMost, measured, target, type Benchmark } from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'
import type { GitHubDay } from './github-day.ts'

const program = fileURLToPath(new URL('./testing/github-day.js', import.meta.url))

export const github: Benchmark = {
  name: 'github',
  title: 'a day of 500 pull requests on GitHub: requests and changes',
  async measure({ isQuick, progress, signal }) {
    const [count, hours] = isQuick ? [2, 0.02] : [500, 8]
    progress(`${count} pull requests in ${hours} hours`)
    const args = [program, ...[count, hours, isQuick ? 1_200 : 20].map(String)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { signal })
    const day: GitHubDay = JSON.parse(stdout)
    const [fault] = day.faults
    if (fault !== undefined) throw new Error(`the fake GitHub was misused: ${fault}`)
    const [perHour, perMinute] = [spreadOf([day.perHour]), spreadOf([day.perMinute])]
    return measured({
      figures: [
        { name: 'all requests of the day', unit: 'requests', value: spreadOf([day.requests]) },
        { name: 'that count, in the worst hour', unit: 'requests', value: perHour },
        { name: 'that change something, in the worst minute', unit: 'requests', value: perMinute },
      ],
      targets: [
        target('in the worst hour', 'requests', perHour, atMost(5_000)),
        target('changes in the worst minute', 'requests', perMinute, atMost(80)),
      ],
      notes: [
        `${day.merged} of ${count} merged, in ${day.hours.toFixed(1)} hours; batches of 4, 8 runs at once, runs of 10 minutes, 3 % break`,
        'webhooks, one status, one comment, and a draft for each test branch; a request that was answered with 304 does not count',
        ...(day.hours > 1.25 * hours && !isQuick
          ? [
              'this machine was too slow: what belongs into an hour took longer, so the figures are too low',
            ]
          : []),
        'without the pace of the client, which sends at most one change a second to GitHub',
      ],
    })
  },
}
