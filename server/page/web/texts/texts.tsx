/** Small texts that many parts of the page have: titles, times, estimates. */

import type { ButtonHTMLAttributes, VNode } from 'preact'
import type { Estimate, MemberDetails, Row, QueueHead } from '../../frame.ts'
import { clock, lasting, wholeInstant, estimateWords } from '../components/time-words.ts'
import { runNumber, shownText } from '../components/shown-text.ts'
import { pullRequestPath, queueShown, runPath } from '../model/route.ts'
import { serverNow } from '../model/watched-queue.ts'
import { me, maySubmit } from '../model/session.ts'
import { listed } from '../state/consequences.ts'
import { type Question, question } from '../model/ask.ts'
import { starredIn, toggleStar } from '../model/stars.ts'

/** A text that somebody else wrote. Its direction does not change the text around it. */
export function Foreign({ text }: { text: string }): VNode {
  return <bdi dir="auto">{shownText(text)}</bdi>
}

/** What the server has refused, in words; nothing if it has not. */
export function Refusal({ error }: { error: string | null | undefined }): VNode | null {
  if (error === null || error === undefined) return null
  return (
    <p class="error" role="alert">
      {error}
    </p>
  )
}

/** The rest of a long list, when it is asked for. */
export function Rest({ count, onShow }: { count: number; onShow: () => void }): VNode | null {
  if (count === 0) return null
  return (
    <button type="button" class="rest" onClick={onShow}>
      Show {count} more
    </button>
  )
}

/** An instant of the past or the future: "14:20". */
export function At({ instant }: { instant: string }): VNode {
  return <Time instant={instant} told={clock} />
}

/** The time since an instant: "12 min". */
export function Elapsed({ since }: { since: string }): VNode {
  return <Time instant={since} told={(at, now) => lasting(now - at)} />
}

type TimeProps = { readonly instant: string; readonly told: (at: number, now: number) => string }

function Time({ instant, told }: TimeProps): VNode {
  const at = Date.parse(instant)
  return (
    <time dateTime={instant} title={wholeInstant(at)}>
      {told(at, serverNow.value)}
    </time>
  )
}

/** When a pull request lands: the half of all forecasts, and the range of four of five. */
type LandsProps = { readonly estimate: Estimate | null; readonly isShort?: boolean }

export function Lands({ estimate, isShort = false }: LandsProps): VNode | null {
  // What nobody can know is said once, above the line.
  if (estimate === null || estimate.kind === 'unknown') return null
  const { short, range, remark } = estimateWords(estimate, serverNow.value)
  return (
    <span class="lands" {...(remark === null ? {} : { title: remark })}>
      <b>{short}</b>
      {range !== null && !isShort && <span class="soft"> {range}</span>}
      {remark !== null && range !== null && (
        <span class="warn">{isShort ? ' ?' : ' may fail'}</span>
      )}
    </span>
  )
}

/** A run by its number, with its whole id as a tooltip; for members a link to its page, which has its log. */
export function RunName({ id }: { id: string }): VNode {
  const number = runNumber(id)
  const name = (
    <span title={shownText(id)}>
      run <Foreign text={number} />
    </span>
  )
  if (me.value?.signedIn !== true || !/^\d+$/.test(number)) return name
  return <a href={runPath(queueShown.value, number)}>{name}</a>
}

/** What it lands after, and what lands after it, because one depends on the other. */
export function StackFlags({ row: { dependsOn = [], dependents = [] } }: { row: Row }): VNode {
  return (
    <>
      {dependsOn.length > 0 && <span class="flag is-quiet">after {listed(dependsOn, 3)}</span>}
      {dependents.length > 0 && <span class="flag is-quiet">before {listed(dependents, 3)}</span>}
    </>
  )
}

export type Named = { readonly number: number; readonly member?: Pick<MemberDetails, 'title'> }

/** The number and the title, as a link to the page of the pull request. */
export function PullRequestLink({ row }: { row: Named }): VNode {
  const path = pullRequestPath(queueShown.value, row.number)
  return (
    <a class="pull-request" href={path} data-row={row.number}>
      <span class="number">#{row.number}</span>
      {row.member && row.member.title !== '' && (
        <>
          {' '}
          <span class="title">
            <Foreign text={row.member.title} />
          </span>
        </>
      )}
    </a>
  )
}

// The name of a queue: its repository and its branch.

export const queueName = ({ owner, name, targetBranch }: QueueHead): string =>
  shownText(`${owner}/${name} : ${targetBranch}`)

// Buttons: what opens a dialog; the star of a pull request, and its actions.

type AskProps = Omit<ButtonHTMLAttributes, 'about'> & {
  readonly about: Question
}

export function Ask({ about, ...attributes }: AskProps): VNode {
  return <button type="button" {...attributes} onClick={() => (question.value = about)} />
}

export function Star({ number }: { number: number }): VNode {
  const queue = queueShown.value
  const isStarred = starredIn(queue).includes(number)
  return (
    <button
      type="button"
      class="icon star"
      aria-pressed={isStarred}
      aria-label={`Star ${number}`}
      title={isStarred ? 'Remove from yours' : 'Show under yours'}
      onClick={() => toggleStar(queue, number)}
    >
      <Icon path="m8 1.5 2 4.3 4.6.6-3.4 3.2.9 4.7L8 12l-4.1 2.3.9-4.7L1.4 6.4 6 5.8z" />
    </button>
  )
}

export function More({ number }: { number: number }): VNode | null {
  if (!maySubmit.value) return null
  return (
    <Ask
      about={{ about: 'pull request', number }}
      class="icon more"
      aria-label={`Actions for ${number}`}
      aria-haspopup="dialog"
      title="Actions"
    >
      <Icon path="M2 6.5h3v3H2zM6.5 6.5h3v3h-3zM11 6.5h3v3h-3z" />
    </Ask>
  )
}

function Icon({ path }: { path: string }): VNode {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
