/** How the cells of a heat map are drawn: in the grid, or as high as the whole map. */

import { color, heat, tooltip, type Chart } from '../../../sim/report/page/chart.ts'

type Layer = Chart['layer'][number]

/** Without a height, a cell has the place of its values. */
export function cellLayers(size: 'wide' | 'narrow', height: number | null = null): Layer[] {
  const isTall = height !== null
  const place = isTall ? { y: { value: 0 }, y2: { value: height } } : {}
  const middle = isTall ? { y: { value: height / 2 } } : {}
  const outline = (
    field: string,
    { stroke, strokeDash }: { readonly stroke: string; readonly strokeDash: number[] },
  ): Layer => ({
    transform: [{ filter: `datum.${field}` }],
    mark: {
      type: 'rect',
      fill: 'transparent',
      stroke: color(stroke),
      strokeWidth: 2.5,
      strokeDash,
      cornerRadius: 3,
      aria: true,
    },
    encoding: { ...tooltip, ...place },
  })
  return [
    {
      mark: { type: 'rect', cornerRadius: 3, aria: true },
      encoding: {
        ...tooltip,
        ...place,
        color: {
          field: 'step',
          type: 'ordinal',
          scale: { domain: heat.map((_, index) => index + 1), range: [...heat] },
          legend: null,
        },
      },
    },
    outline('isToday', { stroke: 'ink', strokeDash: [4, 3] }),
    outline('isChoice', { stroke: 'good', strokeDash: [1, 0] }),
    {
      mark: { type: 'text', fontSize: size === 'wide' ? 12 : 11 },
      encoding: {
        ...middle,
        text: { field: 'text' },
        color: { field: 'ink', type: 'nominal', scale: null },
      },
    },
  ]
}

/** Cells on which the other axis has no effect. */
export function tallCells(rows: readonly object[], height: number, size: 'wide' | 'narrow'): Layer {
  return { data: { values: [...rows] }, layer: cellLayers(size, height) }
}
