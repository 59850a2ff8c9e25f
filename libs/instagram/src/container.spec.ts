import { containerParameters } from './container';

describe('containerParameters', () => {
  test.each([
    [
      { kind: 'reel' as const, mediaUrl: 'https://cdn.example/ü.mp4', caption: 'Hi #a' },
      { media_type: 'REELS', video_url: 'https://cdn.example/%C3%BC.mp4', caption: 'Hi #a', share_to_feed: 'true' },
    ],
    [
      { kind: 'reel' as const, mediaUrl: 'https://cdn.example/a.mp4', caption: null, coverSeconds: 2.5 },
      { media_type: 'REELS', video_url: 'https://cdn.example/a.mp4', thumb_offset: '2500', share_to_feed: 'true' },
    ],
    [
      {
        kind: 'reel' as const,
        mediaUrl: 'https://cdn.example/a.mp4',
        caption: null,
        coverSeconds: 2.5,
        coverUrl: 'https://cdn.example/ü.jpg',
        options: { thumbOffsetMs: 1500 },
      },
      {
        media_type: 'REELS',
        video_url: 'https://cdn.example/a.mp4',
        share_to_feed: 'true',
        cover_url: 'https://cdn.example/%C3%BC.jpg',
      },
    ],
    [
      { kind: 'image' as const, mediaUrl: 'https://cdn.example/a.jpg', caption: 'Hi' },
      { image_url: 'https://cdn.example/a.jpg', caption: 'Hi' },
    ],
    [
      {
        kind: 'story_image' as const,
        mediaUrl: 'https://cdn.example/a.jpg',
        caption: 'Hi',
        options: { story: true as const, userTags: ['a'] },
      },
      { media_type: 'STORIES', image_url: 'https://cdn.example/a.jpg', user_tags: '[{"username":"a","x":0.5,"y":0.5}]' },
    ],
    [
      { kind: 'story_video' as const, mediaUrl: 'https://cdn.example/a.mp4', caption: 'Hi', coverSeconds: 2.5 },
      { media_type: 'STORIES', video_url: 'https://cdn.example/a.mp4' },
    ],
    [
      { kind: 'carousel_child_image' as const, mediaUrl: 'https://cdn.example/a.jpg', caption: null, options: { altText: 'A fox' } },
      { image_url: 'https://cdn.example/a.jpg', is_carousel_item: 'true', alt_text: 'A fox' },
    ],
    [
      { kind: 'carousel_child_video' as const, mediaUrl: 'https://cdn.example/a.mp4', caption: null },
      { media_type: 'VIDEO', video_url: 'https://cdn.example/a.mp4', is_carousel_item: 'true' },
    ],
    [
      {
        kind: 'reel' as const,
        mediaUrl: 'https://cdn.example.test/a.mp4',
        caption: null,
        coverSeconds: 2.5,
        options: {
          shareToFeed: false,
          locationId: '12345',
          thumbOffsetMs: 1500,
          collaborators: ['a', 'b', 'a'],
          userTags: ['c', { username: 'c', x: 0.2, y: 1 }],
          audioId: '67890',
          audioVolume: 80,
          productTags: [{ productId: '777777', x: 0.1, y: 0.2 }],
          trialReel: 'performance' as const,
          paidPartnership: true as const,
          sponsorIds: ['55555', '66666', '55555'],
          aiGenerated: true as const,
        },
      },
      {
        media_type: 'REELS',
        video_url: 'https://cdn.example.test/a.mp4',
        share_to_feed: 'false',
        location_id: '12345',
        collaborators: '["a","b"]',
        user_tags: '[{"username":"c"}]',
        thumb_offset: '1500',
        audio_configuration: '{"audio_id":"67890","audio_volume":80,"video_volume":0}',
        product_tags: '[{"product_id":"777777"}]',
        trial_params: '{"graduation_strategy":"SS_PERFORMANCE"}',
        is_paid_partnership: 'true',
        branded_content_sponsor_ids: '["55555","66666"]',
        is_ai_generated: 'true',
      },
    ],
    [
      {
        kind: 'image' as const,
        mediaUrl: 'https://cdn.example.test/a.jpg',
        caption: null,
        options: {
          userTags: ['c', { username: 'd', x: 0.2, y: 1 }],
          altText: 'A fox',
          productTags: [{ productId: '777777', x: 0.1, y: 0.2 }],
          collaborators: [],
        },
      },
      {
        image_url: 'https://cdn.example.test/a.jpg',
        user_tags: '[{"username":"c","x":0.5,"y":0.5},{"username":"d","x":0.2,"y":1}]',
        alt_text: 'A fox',
        product_tags: '[{"product_id":"777777","x":0.1,"y":0.2}]',
      },
    ],
    [
      { kind: 'carousel' as const, mediaUrl: null, caption: 'Hi', children: ['1', '2'] },
      { media_type: 'CAROUSEL', children: '1,2', caption: 'Hi' },
    ],
  ])('sends %j as %j', (request, form) => expect(containerParameters(request)).toEqual(form));
});
