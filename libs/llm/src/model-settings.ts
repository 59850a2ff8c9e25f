/** How to reach one model of one provider. */
export interface ModelSettings {
  /** Origin of the API, without version path. */
  apiUrl: string;
  apiKey: string;
  model: string;
  fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** That the prompt asks for; the platform's limit unless given. */
  maxHashtags?: number;
  /** Per call; 60 s unless given. */
  timeoutMs?: number;
}
