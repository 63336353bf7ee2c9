/** Joins texts in the Prometheus format that have the same metrics of different queues. */

const header = '# HELP '

/** Returns one text in which all series of a metric follow its header. */
export function joinedTexts(texts: readonly string[]): string {
  const [first = ''] = texts
  if (texts.length <= 1) return first
  const byMetric = texts.map((text) => text.split(`\n\n${header}`))
  const metrics = (byMetric[0] ?? []).map((metric, index) => {
    const others = byMetric.slice(1).map((each) => seriesIn(each[index] ?? ''))
    return [metric.trimEnd(), ...others].join('\n')
  })
  return `${metrics.join(`\n\n${header}`)}\n`
}

/** The lines of a metric without its header of two lines. */
function seriesIn(metric: string): string {
  return metric.trimEnd().split('\n').slice(2).join('\n')
}
