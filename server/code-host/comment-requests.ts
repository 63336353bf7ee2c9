/** What people ask the queue for by comments, each once. */

import type { HostRequest, Pull } from '../hosting/code-host.ts'
import { actorOf, askerOf } from './asker.ts'
import { newCommands, type Asked } from './comment-commands.ts'
import type { Judging, RequestParts, Pulls } from './judging.ts'
import { compareMoments, lastEventAbout } from './observed-pulls.ts'

type CommentParts = RequestParts & {
  readonly judging: Judging
  /** Since when somebody listens, on the clock of the host, if no comment was read yet, or commands were off. */
  readonly from: number
}

/** What new comments ask for, and those about which nothing could be decided at the last poll. */
export async function requestsByComment(pulls: Pulls, parts: CommentParts): Promise<HostRequest[]> {
  const { api, file, queue, observed, refuse, judging } = parts
  if (!queue.engine.queue.configuration.commandsEnabled) {
    file.change({ commentsSince: null, undecided: [] })
    return []
  }
  const { asked: fresh, ...known } = await newCommands(api, file.memory, parts.from)
  const requests: HostRequest[] = []
  const undecided: Asked[] = []
  for (const asked of [...file.memory.undecided, ...fresh]) {
    const { number } = asked
    const judged = await judging.ofOne(number, async () => {
      const pull = pulls.get(number) ?? (await observed.read(number))
      return pull && (notHere(parts, pull) ?? commanded(parts, asked, pull))
    })
    // What was said later about the same one waits for it.
    if (judged.is === 'undecided' || undecided.some((each) => each.number === number)) {
      undecided.push(asked)
      continue
    }
    const refused = judged.is === 'failed' ? judged.words : judged.value
    // A comment on an issue, or on a pull request that another queue answers.
    if (refused === null || refused === ofAnother) continue
    if (typeof refused !== 'string') requests.push(refused)
    else {
      react(parts, asked, false)
      refuse(number, refused)
    }
  }
  file.change({ ...known, undecided })
  return requests
}

/** Why nobody can command about a pull request here; null: they can. */
function notHere({ queue, branches, targetOf }: CommentParts, pull: Pull): string | null {
  const { targetBranch } = queue.ref
  const { number, state } = pull
  const target = targetOf(pull)
  if (target === targetBranch) {
    return state === 'open' ? null : `pull request ${number} is ${state}`
  }
  // Of several queues one answers.
  if (target !== null || branches[0] !== targetBranch) return ofAnother
  return ofNoQueue(pull, branches)
}

/** What is said of one whose base no queue merges. */
export function ofNoQueue({ number, base }: Pull, branches: readonly string[]): string {
  const there = branches.join(', ')
  return `pull request ${number} asks to merge into ${base}; the queue merges into ${there}: change its base`
}

/** Who may write at this moment may command. Authors may take their own work out. Null: it is done already. */
async function commanded(
  parts: CommentParts,
  asked: Asked,
  { author, labels }: Pull,
): Promise<HostRequest | string | null> {
  const { observed, api, file, judging, refuse } = parts
  const { number, by, when, command } = asked
  if (command.is === 'unknown') return command.words
  const isOwn = command.is === 'cancel' && author === by.login
  const asker = isOwn
    ? { actor: actorOf(by, 'author', 'comment') }
    : await askerOf(api, by, 'comment')
  if ('refused' in asker) return asker.refused
  const answer = (refused: string | null): void => {
    react(parts, asked, refused === null)
    if (refused !== null) refuse(number, refused)
  }
  if (command.is === 'cancel' && (await isLabelledSince(parts, asked, labels))) return labelledSince
  if (command.is === 'cancel' && number in file.memory.waiting) {
    // The next poll takes away a label that stands for nothing.
    const { [number]: _draft, ...waiting } = file.memory.waiting
    file.change({ waiting })
    answer(null)
    return null
  }
  const later = (): void => {
    const undecided = [...file.memory.undecided, asked]
    file.change({ undecided: undecided.toSorted((a, b) => a.comment - b.comment) })
  }
  const request = { number, by: asker.actor, answer, later }
  if (command.is !== 'submit') return { ...command, ...request }
  const pull = await observed.read(number)
  if (!judging.isOpenHere(pull)) return `pull request ${number} is not open for the branch any more`
  const activity = await api.activity(number)
  if (await judging.isUnlabelledSince(when, activity)) return unlabelledSince
  const over = judging.whyOver(pull, { when, activity })
  return over ?? { ...command, ...request, ...judging.standingIn(pull, activity) }
}

/** A cancel is read after the label that somebody with the right has set after it. */
async function isLabelledSince(
  { api, judging }: CommentParts,
  { number, when }: Asked,
  labels: readonly string[],
): Promise<boolean> {
  const { label } = judging
  if (!labels.includes(label)) return false
  const set = lastEventAbout(label, 'labelled', await api.activity(number))
  if (set === null || compareMoments(set.when, when) <= 0) return false
  return !('refused' in (await askerOf(api, set.by, 'label')))
}

function react({ file }: CommentParts, { comment, number }: Asked, isDone: boolean): void {
  file.change({ reactions: [...file.memory.reactions, { comment, number, isDone }] })
}

const ofAnother = 'another queue answers'

const unlabelledSince = 'somebody has taken the label away since it was asked for: ask again'

const labelledSince = 'somebody has set the label since it was cancelled'
