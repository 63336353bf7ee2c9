import type * as wire from '../contract/wire.ts'
import { unknownTestRun } from './unknown-test-run.ts'
import { done, reject, withOwnHost, type Operation } from './operation.ts'

/** The commits of a test run cannot be made, because of a text conflict. */
export const reportUnbuildable: Operation<wire.ReportUnbuildable, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    const { registry, send } = context.manager
    const { testRunId, pr, conflictsWith } = body
    const found = registry.findTestRun(testRunId)
    if (found?.queue.name !== name) return reject(unknownTestRun(registry, testRunId))
    return done(
      send(name, {
        type: 'reportUnbuildable',
        testRun: found.run,
        number: Number(pr.number),
        conflictsWith: conflictsWith === null ? 'tip' : Number(conflictsWith),
      }),
    )
  })
