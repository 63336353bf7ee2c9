/** The line as a moving picture: who waits, who is tested in which slot, who has left. */

import type { ReadonlySignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { TerminalState } from '../../../../engine/index.ts'
import { count } from '../../../../server/terminal/text.ts'
import { type Look, looks, Mark } from '../../../../server/page/web/parts/mark.tsx'
import { memo } from '../../../../server/page/web/parts/memo.ts'
import type { Reel, Scene, SlotScene, Film } from '../film/film.ts'
import { Player, speeds, clock, endLooks, endWords, progressWords, sentenceOf } from './player.ts'

/** More chips of those that wait only make the page long. */
const mostWaiting = 40

const leftLooks: Readonly<Record<TerminalState, Look>> = {
  MERGED: 'merged',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

type Props = {
  readonly reel: ReadonlySignal<Reel | null>
  /** True while a newer film is made. */
  readonly isStale: ReadonlySignal<boolean>
}

export function Picture(props: Props): VNode {
  const isStill = useMemo(() => matchMedia('(prefers-reduced-motion: reduce)').matches, [])
  const player = useMemo(() => new Player(props.reel, { isStill }), [props.reel])
  const reel = props.reel.value
  const scene = player.scene.value
  return (
    <section
      class={`card picture${props.isStale.value ? ' is-stale' : ''}`}
      aria-labelledby="picture-title"
      aria-busy={props.isStale.value}
    >
      <h2 id="picture-title">The line</h2>
      {reel && scene ? (
        <>
          <p class="sentence">{sentenceOf(scene)}</p>
          <Controls player={player} film={reel.film} scene={scene} isStill={isStill} />
          <Stage scene={scene} />
          {reel.film.leftOut > 0 && (
            <p class="soft">
              {count(reel.film.leftOut)} more pull requests are simulated and not drawn.
            </p>
          )}
        </>
      ) : (
        <p class="soft">Simulating…</p>
      )}
    </section>
  )
}

function endings({ counts: { MERGED, FAILED, CANCELLED } }: Scene): string {
  const cancelled = CANCELLED > 0 ? `, ${count(CANCELLED)} cancelled` : ''
  return `${count(MERGED)} merged, ${count(FAILED)} failed${cancelled}`
}

function Stage({ scene }: { scene: Scene }): VNode {
  const { below } = scene
  const { notReady, waiting, testing, passed, held, bisecting } = scene.resting
  const left = scene.left.map(({ number, end, at }) => ({ number, look: leftLooks[end], at }))
  return (
    <div class="stage">
      <div class="before">
        <Group
          title="Waiting"
          numbers={[...testing, ...waiting]}
          look="waiting"
          most={mostWaiting}
          below={below}
        />
        {notReady.length > 0 && (
          <Group
            title="Not ready"
            numbers={notReady}
            look="not-ready"
            most={mostWaiting}
            below={below}
          />
        )}
      </div>
      <div class="under-test">
        <h3>Tested</h3>
        <Slots scene={scene} />
      </div>
      <div class="after">
        {passed.length > 0 && (
          <Group title="Passed, behind others" numbers={passed} look="passed" most={mostWaiting} />
        )}
        {held.length > 0 && (
          <Group title="Failed, not final yet" numbers={held} look="held" most={mostWaiting} />
        )}
        {bisecting.length > 0 && (
          <Group title="Being bisected" numbers={bisecting} look="bisecting" most={mostWaiting} />
        )}
        <div class="group">
          <h3>
            Left <span class="soft">{endings(scene)}</span>
          </h3>
          <LeftChips left={left} />
        </div>
      </div>
    </div>
  )
}

// The slots, one row each: who is tested in it, how long already, on top of how many. Free ones share a row.

/** More rows cannot be followed. */
const mostRows = 40

/** As many chips fit beside each other. */
const mostChips = 4

function Slots({ scene }: { scene: Scene }): VNode {
  const { at } = scene
  const rows = foldedSlots(scene.slots)
  const hidden = rows.slice(mostRows).filter(({ run }) => run !== null)
  const busy = hidden.filter(({ isOver }) => !isOver).length
  return (
    <>
      <ol class="slots">
        {rows.slice(0, mostRows).map((slot) => (
          <SlotRow key={`${slot.kind} ${slot.slot}`} slot={slot} at={at} below={scene.below} />
        ))}
      </ol>
      {hidden.length > 0 && (
        <p class="soft">
          and {count(hidden.length)} more slots with runs, {count(busy)} of them in progress
        </p>
      )}
    </>
  )
}

type FoldedSlot = SlotScene & { readonly to: number }

/** Neighbours that are free become one. */
export function foldedSlots(slots: readonly SlotScene[]): FoldedSlot[] {
  const rows: FoldedSlot[] = []
  for (const slot of slots) {
    const before = rows.at(-1)
    const isMore = slot.run === null && before?.run === null && before.kind === slot.kind
    if (isMore) rows.pop()
    rows.push({ ...(isMore ? before : slot), to: slot.slot })
  }
  return rows
}

function SlotRow({
  slot: { kind, slot, to, run, isOver },
  at,
  below,
}: {
  slot: FoldedSlot
  at: number
  below: Scene['below']
}): VNode {
  const last = to === slot ? '' : ` to ${to + 1}`
  const name = `${kind === 'main' ? 'slot' : 'bisection'} ${slot + 1}${last}`
  if (!run) {
    return (
      <li class="slot is-free">
        <span class="slot-name">{name}</span>
        <span class="slot-words">free</span>
      </li>
    )
  }
  const testing = kind === 'main' ? 'testing' : 'bisecting'
  const look = isOver ? endLooks[run.ending] : testing
  const elapsed = Math.min(1, (at - run.from) / Math.max(1, run.to - run.from))
  return (
    <li class={`slot is-${look}${isOver ? ' is-over' : ''}`}>
      <span class="slot-name">
        {name}
        {run.below > 0 && <span class="below"> on top of {run.below}</span>}
      </span>
      <span class="slot-words">
        {isOver && <Mark look={look} />}
        {isOver ? endWords[run.ending] : progressWords(run, at)}
      </span>
      {/* A run that fails says nothing yet about each of those it tested. */}
      <Chips
        numbers={run.tested}
        look={isOver ? null : look}
        most={mostChips}
        below={below}
        isShort
      />
      <span class="slot-bar">
        <span style={{ transform: `scaleX(${elapsed.toFixed(4)})` }} />
      </span>
    </li>
  )
}

// Pull requests as chips: the mark says the state, the number who it is.

type ChipProps = {
  readonly number: number
  /** Null: nothing is known about it. */
  readonly look: Look | null
  /** The numbers of those that it waits for. */
  readonly on?: string
}

const Chip = memo(({ number, look, on = '' }: ChipProps) => (
  <li class={look === null ? 'chip' : `chip is-${look}`}>
    {look !== null && <Mark look={look} />}
    {number}
    {on !== '' && <span class="soft"> on {on}</span>}
    {look !== null && <span class="unseen"> {looks[look].word}</span>}
  </li>
))

type ChipsProps = {
  readonly numbers: readonly number[]
  readonly look: Look | null
  /** If there are more, the others are only counted. */
  readonly most: number
  readonly below?: Scene['below']
  /** The count in as few letters as possible. */
  readonly isShort?: boolean
}

function Chips({ numbers, look, most, below, isShort = false }: ChipsProps): VNode {
  const shown = numbers.length > most ? most - Number(isShort) : most
  const others = count(numbers.length - shown)
  return (
    <ul class="chips">
      {numbers.slice(0, shown).map((number) => (
        <Chip key={number} number={number} look={look} on={below?.get(number)?.join(', ') ?? ''} />
      ))}
      {numbers.length > shown && (
        <li class="soft">{isShort ? `+${others}` : `and ${others} more`}</li>
      )}
    </ul>
  )
}

/** Chips with a title and their count. */
function Group({ title, ...chips }: ChipsProps & { title: string }): VNode {
  return (
    <div class="group">
      <h3>
        {title} <span class="soft">{count(chips.numbers.length)}</span>
      </h3>
      <Chips {...chips} />
    </div>
  )
}

type LeftProps = { readonly left: readonly { number: number; look: Look; at: number }[] }

/** Those that have left, each with how. */
function LeftChips({ left }: LeftProps): VNode {
  return (
    <ul class="chips">
      {left.map(({ number, look, at }) => (
        <Chip key={`${number} ${at}`} number={number} look={look} />
      ))}
    </ul>
  )
}

// Play, pause, step, scrub, speed.

type ControlsProps = {
  readonly player: Player
  readonly film: Film
  readonly scene: Scene
  /** The reader wants no motion: there are only steps. */
  readonly isStill: boolean
}

const minuteMs = 60_000

function Controls({ player, film, scene, isStill }: ControlsProps): VNode {
  const isPlaying = player.isPlaying.value
  const time = clock(scene.at)
  return (
    <div class="controls">
      {!isStill && (
        <button
          type="button"
          class="is-main"
          onClick={() => (isPlaying ? player.pause() : player.play())}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
      )}
      <button type="button" aria-label="Change before" onClick={() => player.step(-1)}>
        ‹
      </button>
      <button type="button" aria-label="Next change" onClick={() => player.step(1)}>
        ›
      </button>
      <output class="clock">{time}</output>
      {!isStill && <Speed player={player} />}
      <div class="scrub">
        <p>The queue over time, at most {count(mostIn(film.depth))} in it</p>
        <DepthStrip film={film} at={scene.at} />
        <input
          type="range"
          aria-label="Instant"
          aria-valuetext={`${time}. ${sentenceOf(scene)}`}
          min={0}
          max={Math.ceil(film.endedAt / minuteMs)}
          step={1}
          value={Math.round(scene.at / minuteMs)}
          onInput={({ currentTarget }) => {
            player.seek(Math.min(film.endedAt, currentTarget.valueAsNumber * minuteMs))
          }}
        />
      </div>
    </div>
  )
}

function Speed({ player }: { player: Player }): VNode {
  return (
    <label class="speed">
      <span>a second is</span>
      <select
        value={String(player.speed.value)}
        onChange={({ currentTarget: { value } }) => {
          player.speed.value = Number(value)
        }}
      >
        {Object.entries(speeds).map(([minutes, text]) => (
          <option key={minutes} value={minutes}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

// How many were in the queue over the whole film, with the instant that is shown.

const width = 1000
const height = 40

function DepthStrip({ film, at }: { film: Film; at: number }): VNode {
  const x = ((width * at) / Math.max(1, film.endedAt)).toFixed(2)
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <Area film={film} />
      <path class="strip-now" d={`M${x} 0V${height}`} />
    </svg>
  )
}

const Area = memo(({ film }: { film: Film }) => <path class="strip-area" d={areaOf(film)} />)

export function mostIn(depth: Film['depth']): number {
  return depth.reduce((so, { count: waiting }) => Math.max(so, waiting), 0)
}

/** Steps up and down, as numbers are whole. */
export function areaOf({ depth, endedAt }: Pick<Film, 'depth' | 'endedAt'>): string {
  const most = Math.max(1, mostIn(depth))
  const x = (at: number): string => ((width * at) / Math.max(1, endedAt)).toFixed(1)
  const y = (many: number): string => (height - ((height - 2) * many) / most).toFixed(1)
  return `M0 ${height}${depth.map(({ at, count: many }) => `H${x(at)}V${y(many)}`).join('')}H${width}V${height}z`
}
