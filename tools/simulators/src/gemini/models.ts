/** Models that answer, with the way in which thinking is set. */
export const GEMINI_MODELS: Readonly<Record<string, { thinking: 'level' | 'budget'; displayName: string }>> = {
  'gemini-3.8-flash': { thinking: 'level', displayName: 'Gemini 3.8 Flash' },
  'gemini-3.7-flash': { thinking: 'level', displayName: 'Gemini 3.7 Flash' },
  'gemini-3.6-flash': { thinking: 'level', displayName: 'Gemini 3.6 Flash' },
  'gemini-3.5-flash': { thinking: 'level', displayName: 'Gemini 3.5 Flash' },
  'gemini-3.5-flash-lite': { thinking: 'level', displayName: 'Gemini 3.5 Flash-Lite' },
  'gemini-3.1-flash-lite': { thinking: 'level', displayName: 'Gemini 3.1 Flash-Lite' },
  'gemini-3.1-pro-preview': { thinking: 'level', displayName: 'Gemini 3.1 Pro Preview' },
  'gemini-3-flash-preview': { thinking: 'level', displayName: 'Gemini 3 Flash Preview' },
  'gemini-2.5-flash': { thinking: 'budget', displayName: 'Gemini 2.5 Flash' },
  'gemini-2.5-flash-lite': { thinking: 'budget', displayName: 'Gemini 2.5 Flash-Lite' },
  'gemini-2.5-pro': { thinking: 'budget', displayName: 'Gemini 2.5 Pro' },
  'gemini-flash-latest': { thinking: 'level', displayName: 'Gemini Flash Latest' },
  'gemini-flash-lite-latest': { thinking: 'level', displayName: 'Gemini Flash-Lite Latest' },
};

export function modelResource(id: string): Record<string, unknown> {
  return {
    name: `models/${id}`,
    version: '001',
    displayName: GEMINI_MODELS[id]?.displayName,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    thinking: true,
  };
}

export const MEDIA_TYPES: readonly string[] = [
  ...['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
  ...[
    'video/mp4',
    'video/mpeg',
    'video/mov',
    'video/quicktime',
    'video/avi',
    'video/x-flv',
    'video/mpg',
    'video/webm',
    'video/wmv',
    'video/3gpp',
  ],
  ...['audio/wav', 'audio/mp3', 'audio/mpeg', 'audio/aac', 'audio/ogg', 'audio/flac', 'application/pdf', 'text/plain'],
];
