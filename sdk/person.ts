import { Actor } from './actor.ts';
import type { CallOptions } from './service.ts';
import type { AddedToStory, Story, StoryElement, UserInfo } from './wire.ts';

/** A person who consented: calls in their name, besides groups and polls. */
export class Person extends Actor {
  /**
   * Identifies the person; needs the scope `profile`.
   *
   * @example
   * const { sub, name, picture } = await person.getUserInfo();
   */
  async getUserInfo(options?: CallOptions): Promise<UserInfo> {
    return this.call('GET /oauth/userinfo', undefined, options);
  }

  /**
   * Adds an element to the person's story, or starts one; needs the scope `stories:write`.
   *
   * @example
   * const { storyId } = await person.addToStory({ type: 'image', imageUrl: 'https://cdn.example.com/summit.jpg' });
   */
  async addToStory(element: StoryElement, options?: CallOptions): Promise<AddedToStory> {
    return this.create('POST /v1/stories', element, options);
  }

  /**
   * The person's stories; needs the scope `stories:read`.
   *
   * @example
   * for (const { storyId, texts } of await person.listOwnStories()) console.log(storyId, texts.length);
   */
  async listOwnStories(options?: CallOptions): Promise<Story[]> {
    return this.call('GET /v1/stories/mine', undefined, options);
  }

  /**
   * Deletes one of the person's stories; needs the scope `stories:write`.
   *
   * @example
   * const { storyId } = await person.addToStory({ type: 'text', text: 'Not for long' });
   * await person.deleteStory(storyId);
   */
  async deleteStory(storyId: string, options?: CallOptions): Promise<void> {
    await this.call('DELETE /v1/stories/delete', { storyId }, options);
  }
}
