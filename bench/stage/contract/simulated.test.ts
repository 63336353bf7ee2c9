import { contractOf } from './testing/contract-of.ts'
import { endsOf, scenarioOf, violated } from '../../../sim/testing/simulated.ts'
import { resultDocument } from '../../../sim/result/write-result.ts'
import { runScenario } from '../../../sim/judge/run-scenario.ts'
import type { Scenario, ScenarioEvent } from '../../../sim/scenario/scenario.ts'
import type { Command } from '../../../engine/index.ts'
import { answersFromWithin, endedOf, type ContractStep } from './testing/ended.ts'
import type { ContractCase, ContractHost } from './testing/contract-case.ts'

/** The queue is PAUSED until all are in it. A run takes 10 minutes, and a merge one more. */
const minutes = { resumed: 1, testing: 6, landed: 11.5 } as const

/** The simulated code host plays a story: as a scenario, in simulated time. */
const simulatedHost: ContractHost = {
  name: 'the simulated code host',
  cannot: ({ simulated = {} }) => ('cannot' in simulated ? simulated.cannot : null),
  play(contractCase) {
    const steps: (ContractStep & { readonly command: Command })[] = []
    const { result } = runScenario(scenarioFor(contractCase), {
      observers: [
        () =>
          ({ command, events }) =>
            void steps.push({ command, events: [...events] }),
      ],
    })
    const document = resultDocument(result)
    const states = Object.values(endsOf(document))
    const landings = steps.flatMap(({ command }) =>
      command.type === 'finishMerge' && command.refused === null
        ? [command.numbers ?? [command.number]]
        : [],
    )
    const broken = [
      ...violated(document),
      ...answersFromWithin(steps),
      ...(states.length === contractCase.pullRequests.length ? [] : ['somebody was lost']),
    ]
    return Promise.resolve({ ...endedOf(steps), landings, broken })
  },
}

function scenarioFor({ queue, pullRequests, happening, simulated = {} }: ContractCase): Scenario {
  const { faults = {}, seed = 1 } = 'cannot' in simulated ? {} : simulated
  return scenarioOf({
    seed,
    queue: { ...queue, state: 'PAUSED' },
    suite: { minutes: 10 },
    pullRequests,
    codeHost: { landsGroups: true, conflictsFoundByBuild: true },
    faults: { mergeMinutes: 1, ...faults },
    events: [
      { at: minutes.resumed, do: 'updateQueue', set: { state: 'RUNNING' } },
      ...eventsOf(happening),
    ],
  })
}

/** What comes while the host lands is one of its faults, and a start again as well. */
function eventsOf(happening: ContractCase['happening']): ScenarioEvent[] {
  if (!happening || happening.when === 'landing') return []
  const at = minutes[happening.when]
  if (happening.do === 'startAgain' || happening.do === 'deny') return []
  if (happening.do === 'pushToBranch') return [{ at, do: 'pushToBranch' }]
  return [{ at, do: happening.do, number: happening.number }]
}

// S-245, S-246
contractOf(simulatedHost, () => true)
