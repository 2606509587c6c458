class Config:
    def get(self, name):
        return name


config = Config()  # calls :Config


def reload():
    global config
    config = Config()  # calls :Config
    return config
