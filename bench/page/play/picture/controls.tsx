/** Play, pause, step, scrub, speed. */

import type { VNode } from 'preact'
import { count } from '../../../../terminal/text.ts'
import { memo } from '../../../../server/page/web/parts/memo.ts'
import type { Film } from '../film/film.ts'
import type { Scene } from '../film/scene.ts'
import { type Player, speeds } from './player.ts'
import { clock, sentenceOf } from './words.ts'

type Props = {
  readonly player: Player
  readonly film: Film
  readonly scene: Scene
  /** The reader wants no motion: there are only steps. */
  readonly isStill: boolean
}

const minuteMs = 60_000

export function Controls({ player, film, scene, isStill }: Props): VNode {
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
