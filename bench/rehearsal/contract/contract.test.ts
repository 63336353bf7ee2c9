import { contractOf, answersFromWithin, endedOf } from './testing/contract.ts'
import type { ContractStep, ContractCase, ContractHost } from './testing/contract.ts'
import { endsOf, scenarioOf, violated } from '../../../sim/testing/simulated.ts'
import { resultDocument } from '../../../sim/result/write-result.ts'
import { runScenario } from '../../../sim/judge/run-scenario.ts'
import type { Scenario, ScenarioEvent } from '../../../sim/scenario/scenario.ts'
import type { Command } from '../../../engine/index.ts'
import { hostedWorld } from '../../../server/hosting/testing/hosted-world.ts'
import { landingsIn, untestedIn, HeldWork, GitStory, startFiles } from './testing/git-story.ts'

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

// A real server plays the contract on a real repository. What its host does is held back, and told one by
// one: so the story goes in the same order on a slow machine.

/** The server looks at the repository when the story says so. */
const pollMs = 2 ** 30

const gitByPath: ContractHost = {
  name: 'git by path',
  cannot: () => null,
  async play(contractCase) {
    const work = new HeldWork()
    const world = await hostedWorld({
      files: startFiles(contractCase.pullRequests),
      set: contractCase.queue,
      pollMs,
      hold: work.hold,
    })
    await world.repository.logUpdates()
    const story = new GitStory(contractCase, { world, work })
    await story.play()
    const broken = [
      ...answersFromWithin(story.steps),
      ...(await untestedIn(world, story.commitsOfPeople)),
    ]
    const landings = await landingsIn(world, story.commitsOfPeople)
    return { ...endedOf(story.steps), landings, broken }
  },
}

// What happens during a landing. Before, a story is decided in the mirror alone. Afterwards the host is asked
// once more: the tests of crashes do that.
//
contractOf(gitByPath, ({ happening }) => happening?.when === 'landing')
