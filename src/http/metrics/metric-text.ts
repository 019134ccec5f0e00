/** Metrics in the text format of Prometheus. */
interface Sample {
  /** The text to append to the name of the metric, for the parts of a histogram. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly samples: readonly Sample[]
}

const metric =
  (type: Metric['type']) =>
  (name: string, help: string, samples: readonly Sample[]): Metric => ({ name, help, type, samples })

export const gauge = metric('gauge')
export const counter = metric('counter')
export const histogram = metric('histogram')

export const metricText = ({ name, help, type, samples }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`),
    '',
  ].join('\n')

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
