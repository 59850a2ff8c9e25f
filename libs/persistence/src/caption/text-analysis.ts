/** What the text model said about its own caption, and what we counted. */
export interface TextAnalysis {
  wordCount: number;
  characterCount: number;
  sentiment: string;
  hasCallToAction: boolean;
  mainCaption: string;
  hashtagCategories: Record<string, string[]>;
}
