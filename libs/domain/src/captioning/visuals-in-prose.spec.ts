import { visualsInProse } from './caption-policy';

const visuals = {
  visualContent: 'A fox crosses a field of fresh snow.',
  emotionalTone: 'calm, curious',
  contentTheme: 'wildlife in winter',
  instagramOptimization: 'Portrait fits the Reels format',
  captionDirection: 'Let the quiet speak!',
  confidence: 0.8,
  rawAnalysis: '{"visualContent":"A fox"}',
};

describe('visualsInProse', () => {
  it('tells what was seen in sentences, without the raw answer', () => {
    expect(visualsInProse(visuals)).toBe(
      'A fox crosses a field of fresh snow. Mood: calm, curious. Theme: wildlife in winter. Portrait fits the Reels format. Let the quiet speak!',
    );
  });

  it('leaves out unknown facts', () => {
    const blind = { ...visuals, emotionalTone: 'unknown', contentTheme: '  ', captionDirection: 'Stay with\nthe title.' };
    expect(visualsInProse(blind)).toBe('A fox crosses a field of fresh snow. Portrait fits the Reels format. Stay with the title.');
  });
});
