-- Who has seen somebody's story.
create index story_views_by_owner on story_views (owner_id, element_id desc);
