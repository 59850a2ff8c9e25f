import type { Compatibility, InstagramConfig } from '../api/instagram.api';
import { SAMPLE_TIME } from './item.sample';

export const instagramConfigSample: InstagramConfig = {
  isConfigured: true,
  missing: [],
  canPublishImages: false,
  canPublishVideos: true,
  mediaHint: 'Pictures and galleries need CDN_BASE_URL, an address that the internet reaches.',
  account: { username: 'autoposter', ok: true, detail: 'Token is valid', checkedAt: SAMPLE_TIME },
};

export const compatibilitySample: Compatibility = {
  success: true,
  ffmpeg: { available: true, message: 'FFmpeg 7.1 is available' },
  ffprobe: { available: true, message: 'FFprobe 7.1 is available' },
  error: null,
  checkedAt: SAMPLE_TIME,
};
