import type { Chapter } from '../../endpoints.ts';
import { NOW, STORY } from '../../examples.ts';
import { refusal } from '../../refusals.ts';
import { AddedToStory, AddToStory, DeletedStory, DeleteStory, Stories } from '../../stories.ts';

/** Stories of people (contract §4 and §5). */
export const STORIES = {
  'POST /v1/stories': {
    access: { actors: ['user'], scope: 'stories:write' },
    operationId: 'addToStory',
    summary: 'Add to your story',
    description:
      'Adds a text, an image or a video to the user’s current story, or begins a story if there is none.',
    tags: ['Stories'],
    body: AddToStory,
    reply: AddedToStory,
    message: 'story published',
    creates: 'elm',
    errors: [refusal('person.sending-fast')],
    example: {
      request: { type: 'image', imageUrl: 'https://cdn.example.com/sunset.jpg' },
      response: { storyId: STORY },
    },
  },
  'GET /v1/stories/mine': {
    access: { actors: ['user'], scope: 'stories:read' },
    operationId: 'listOwnStories',
    summary: 'Read your stories',
    description: 'Returns the user’s current story with all its elements; an empty list if there is none.',
    tags: ['Stories'],
    reply: Stories,
    message: 'your stories',
    example: {
      response: [
        {
          storyId: STORY,
          texts: [],
          images: [
            {
              id: 'elm_01m7y7d8vr0002k5n3q8s4vx',
              createdAt: NOW,
              imageUrl: 'https://cdn.example.com/sunset.jpg',
            },
          ],
          videos: [],
        },
      ],
    },
  },
  'DELETE /v1/stories/delete': {
    access: { actors: ['user'], scope: 'stories:write' },
    operationId: 'deleteStory',
    summary: 'Delete your story',
    description: 'Deletes one of the user’s stories, with all its elements.',
    tags: ['Stories'],
    body: DeleteStory,
    reply: DeletedStory,
    message: 'story deleted',
    errors: [refusal('story.not-yours'), refusal('story.unknown')],
    example: { request: { storyId: STORY }, response: { deleted: true } },
  },
} as const satisfies Chapter<'actor'>;
