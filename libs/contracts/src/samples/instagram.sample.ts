import type { Compatibility, InstagramConfig } from '../api/instagram.api';
import { SAMPLE_TIME } from './item.sample';

export const instagramConfigSample: InstagramConfig = {
  isConfigured: true,
  missing: [],
  canPublishImages: false,
  canPublishVideos: true,
  mediaHint: 'Pictures and galleries need CDN_BASE_URL, an address that the internet reaches.',
  hashtagLimit: { max: 5, since: '2025-12-18', source: 'Instagram, announcement of 18 December 2025' },
  account: { username: 'autoposter', ok: true, detail: 'Token is valid', checkedAt: SAMPLE_TIME },
};

export const compatibilitySample: Compatibility = {
  success: true,
  ffmpeg: { available: true, message: 'FFmpeg 7.1 is available' },
  ffprobe: { available: true, message: 'FFprobe 7.1 is available' },
  error: null,
  checkedAt: SAMPLE_TIME,
};
