/** The tool that the matrix offers to each agent: it answers a word with a sentence and a small picture. */

/** 16 × 16 pixels, red: what the probe returns. */
export const PROBE_PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mM4ISdHEmIY1TCqYfhqAADkYgQQ6ZuA8QAAAABJRU5ErkJggg==';

export const PROBE = {
  name: 'weir_probe',
  description: 'Answers a word with a sentence and a picture.',
  schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false },
} as const;

export const probeContent = (word: string) => [
  { type: 'text' as const, text: `probe heard ${word}` },
  { type: 'image' as const, data: PROBE_PICTURE, mimeType: 'image/png' },
];
